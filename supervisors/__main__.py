"""`python -m supervisors` is the `clankie` command."""

from supervisors.cli import main

main()
