"""CRC-32C, the checksum of record files, checkpoints and event files."""
