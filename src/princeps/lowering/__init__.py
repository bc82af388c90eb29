"""From rule to machine: the small language of protocol files, the packing of fields into words, compiled kernels."""
