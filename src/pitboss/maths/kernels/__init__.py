"""Kernels: compiled free functions on integer arrays that return integer counts. Nothing here knows money."""
