# SPDX-License-Identifier: BSD-3-Clause
# A Makefile as it was on the iPSC/2: F77 for the host, if77 for the nodes.
FC = f77
NFC = if77
FFLAGS = -O
HOSTLIB = -host
NODELIB = -node

all: cell_host cell_node

cell_host: cell_host.f cell.inc
	$(FC) $(FFLAGS) cell_host.f $(HOSTLIB) -o cell_host

cell_node: cell_node.f cell.inc
	$(NFC) $(FFLAGS) cell_node.f $(NODELIB) -o cell_node

clean:
	rm -f cell_host cell_node
