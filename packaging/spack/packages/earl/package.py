# SPDX-License-Identifier: BSD-3-Clause
"""Earl as a package of Spack: `spack repo add packaging/spack`, `spack install earl`. It builds the source tree that this
file is in: `spack dev-build earl@0.1.0` there, or a `url` of an archive of it in a repository of your own."""
from spack.package import *


class Earl(MesonPackage):
    """Runs message-passing programs for Intel NX, PVM, MPI-1 and BIP on today's hosts, records, replays and debugs them."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("fortran", default=True, description="earlfc, which relinks Fortran programs")
    variant("debuginfo", default=True, description="source lines and stacks in reports")
    variant("libedit", default=True, description="line editing in earl console")
    variant("hwloc", default=True, description="earl run --bind-to")
    variant("otf2", default=False, description="earl export --to otf2")
    variant("pmix", default=False, description="earl exec below launchers that speak only PMIx")
    variant("fibers", default=True, description="all ranks of a job in one process (--on fibers)")
    variant("libfabric", default=False, description="libfabric between hosts (--on libfabric)")
    variant("mpi", default=False, description="jobs on top of a native MPI (--on mpi)")
    variant("pvm", default=False, description="jobs on top of native PVM (--on pvm)")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("fmt")
    depends_on("libsodium")
    depends_on("xxhash")
    depends_on("zstd")
    depends_on("boost+context", when="+fibers")
    depends_on("elfutils", when="+debuginfo")
    depends_on("libunwind", when="+debuginfo")
    depends_on("libedit", when="+libedit")
    depends_on("hwloc", when="+hwloc")
    depends_on("otf2", when="+otf2")
    depends_on("pmix", when="+pmix")
    depends_on("libfabric", when="+libfabric")
    depends_on("mpich", when="+mpi")
    depends_on("pvm", when="+pvm")
    depends_on("libtirpc", when="+pvm")

    requires("%gcc@12:", "%clang@14:", policy="one_of")

    def meson_args(self):
        back_ends = ["shm", "tcp", "myrinet", "nx"]
        back_ends += [name for name in ("fibers", "libfabric", "mpi", "pvm") if self.spec.satisfies("+" + name)]
        features = [
            "-D{0}={1}".format(name, "enabled" if self.spec.satisfies("+" + name) else "disabled")
            for name in ("fortran", "debuginfo", "libedit", "hwloc", "otf2", "pmix")
        ]
        return ["-Dtests=false", "-Dbackends=" + ",".join(back_ends)] + features
