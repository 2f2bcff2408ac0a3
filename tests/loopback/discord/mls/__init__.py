"""The delivery service of DAVE, the end-to-end encryption of Discord's voice, as a voice server knows it.

It is never a member of a group and owns no key of one. It orders what members send: key packages become Add
proposals, leaves become Removes, one member's commit wins, and its welcome goes to those it adds. Nothing
here opens a socket, looks at a clock or draws chance, except that a signature is new each time.

`codec` reads and writes the MLS messages in question, `sender` signs proposals, `leaves` knows who sits at
which leaf, `batch` which proposals are in flight, `transitions` whose op 23 is missing, and
`delivery.Delivery` is the service of one voice channel. `members` are clients without a network, for tests.
"""
