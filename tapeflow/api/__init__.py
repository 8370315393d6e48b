"""The public namespaces, assembled from what the layers below registered."""
