"""tf.experimental.dtensor: tensors laid out over meshes of this process's CPUs."""
