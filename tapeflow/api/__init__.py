"""The public namespaces, assembled from what the layers below registered."""

from tapeflow.base.exports import later

later("tapeflow.api.internal", "__internal__.*", "compat.v1.*")
later("tapeflow.api.internal", "experimental.dtensor.*")  # a namespace that Keras imports: empty
later("tapeflow.ops.raw_ops", "raw_ops.*")
later("tapeflow.ops.image.projective_transform", "raw_ops.*")
later("tapeflow.ops.nn.ctc_loss", "nn.ctc_loss")
