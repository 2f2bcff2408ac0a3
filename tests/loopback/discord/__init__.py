"""A Discord of ours on 127.0.0.1 that an unmodified client can live in.

For tests: `server` (Discord: start here), `guild`, `rooms` and `people` (what a test holds of the world),
`participant` (a person with a voice client of his own), `account` (the client library, logged in),
`child` (our media process beside it), `evening` (the whole house), `scene` and `theatre` (rehearsals).

Behind it: `world` (what there is), `calls` (who sits where), `board` (what is written), `interactions`
(commands), told over `gateway` and `session` in the shapes of `shapes`, asked for over `rest` and `routes`;
`ground`, `tls` and `proxy` (the loop, the certificate, the way in); `place`, `voice` and `mls` (voice
servers, packets, and the delivery service of the end-to-end encryption).
"""
