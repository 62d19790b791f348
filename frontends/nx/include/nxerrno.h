/* The values of errno after an NX call with a leading underscore has returned -1. */
#ifndef EARL_NXERRNO_H
#define EARL_NXERRNO_H

#define EQDRVERR       150 /* driver failure */
#define EQPBUF         151 /* bad buffer address */
#define EQBLEN         152 /* buffer extends past memory */
#define EQLEN          153 /* bad length */
#define EQTIME         154 /* time limit */
#define EQMSGLONG      155 /* message longer than buffer */
#define EQPID          156 /* bad pid */
#define EQNODE         157 /* bad node */
#define EQTYPE         158 /* bad type */
#define EQMID          159 /* bad message id */
#define EQHND          160 /* bad handler type */
#define EQNOPROC       161 /* no process slot */
#define EQUSEPID       162 /* pid in use */
#define EQNOACT        163 /* no such process */
#define EQBADFIL       164 /* not a loadable file */
#define EQPARAM        165 /* bad parameter */
#define EQPFIL         166 /* bad file name address */
#define EQPCNODE       167 /* bad cnode address */
#define EQPCPID        168 /* bad cpid address */
#define EQPCCODE       169 /* bad ccode address */
#define EQPRIV         170 /* not permitted */
#define EQMEM          171 /* out of memory */
#define EQINVREC       172 /* loader record */
#define EQMSG          173 /* loader message */
#define EQNOMID        174 /* too many requests */
#define EQSET          175 /* pid already set */
#define EQNOSET        176 /* pid not set */
#define EQCUBETABFULL  177 /* cube table full */
#define EQCUBEEXISTS   178 /* cube name taken */
#define EQCUBENOTEXIST 179 /* no such cube */
#define EQCUBENOTATTCH 180 /* no cube attached */
#define EQUSOCK        181 /* server sockets */
#define EQNETSOCK      182 /* server net sockets */
#define EQTTY          183 /* server ttys */
#define EQNOCUBES      184 /* no cubes allocated */
#define EQCUBENAMELEN  185 /* cube name over 15 chars */
#define EQHOSTNAMELEN  186 /* host name over 15 chars */
#define EQTYPENAMELEN  187 /* cube type over 15 chars */
#define EQBADGLOBAL    188 /* bad "global" argument */
#define EQRCSBUSY      189 /* remote server busy */
#define EQINCMPREAD    190 /* short header read */
#define EQNOCUBE       191 /* no such cube type */
#define EQLIFEBUSY     192 /* cube limit */
#define EQNOCOMMSER    193 /* server not responding */
#define EQUSM          194 /* diagnostics id */
#define EQDIM          195 /* bad dimension */
#define EQMODE         196 /* diagnostics mode */
#define EQSTATUS       197 /* diagnostics status */
#define EQNOLL         198 /* lifeline lost */
#define EQBADNODE      199 /* node not responding */
#define EQUSEVX        200 /* vector unit busy */
#define EQNOSRM        201 /* no matching SRM */
#define EQMSGSHORT     202 /* message too short */
#define EQNOSYSLOG     203 /* no syslog */
#define EQSYSLOG       204 /* syslog already there */
#define EQLOGFAIL      205 /* syslog start failed */
#define EQBIGSYS       206 /* system too big */
#define EQRRTTY        207 /* remote tty read */
#define EQFSERVFAIL    208 /* file server start failed */
#define ECFPS          209 /* file pointers differ on seek */
#define ENFPS          210 /* file pointers differ */
#define EMIXIO         211 /* mixed file operations */
#define EIMODE         212 /* bad I/O mode */
#define ESETIO         213 /* file not synchronised */
#define ESRMIO         214 /* not on the SRM */
#define ENOCFS         215 /* no CFS */
#define EQCOMMBUF      216 /* server out of buffers */
#define EQESIZE        217 /* bad extended size */
#define EQNOVX         218 /* no vector unit */
#define ERDEOF         219 /* read past end of file */
#define EQPATH         220 /* path too long */

/* In C perror() and strerror() know these numbers, too; nx_perror() also in C++ and Fortran. */
#ifndef __cplusplus
#define perror   earl_nx_perror
#define strerror earl_nx_strerror
#if defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L
void perror(char const *);
char *strerror(int);
#else
void perror();
char *strerror();
#endif
#endif

#endif
