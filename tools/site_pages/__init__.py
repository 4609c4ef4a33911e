"""The pages of the documentation site that are written from the data: each module makes one kind of page."""
