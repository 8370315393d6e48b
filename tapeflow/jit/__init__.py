"""The native compiler: graphs of known shapes as machine code, by LLVM. See README.md."""
