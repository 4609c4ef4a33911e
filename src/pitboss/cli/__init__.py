"""The command line. Verbs are loaded when they are called, and load what they need when they run."""

INTERRUPTED = 130
"""The exit code of whatever Ctrl-C ends, as shells have it."""
