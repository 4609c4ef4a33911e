"""One module a change, in the order of `down_revision`."""
