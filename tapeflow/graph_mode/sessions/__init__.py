"""What sessions of tf.compat.v1 take, give and write besides plain tensors."""
