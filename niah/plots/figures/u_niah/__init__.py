"""The figures of u-niah as the paper arranges them, where several readers, or needle sets, were asked."""
