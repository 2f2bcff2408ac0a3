"""What each verb of the command line does; imported only when it is said."""
