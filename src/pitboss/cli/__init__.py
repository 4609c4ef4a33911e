"""The command line. Verbs are loaded when they are called, and load what they need when they run."""
