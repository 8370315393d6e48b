"""Serves `import tensorflow` from tapeflow. Only the command line, tests and users import this.

    import tapeflow.alias
    tapeflow.alias.install()
    import tensorflow as tf          # tf is the package tapeflow itself
"""

from tapeflow.alias.finder import RealTensorFlowError, install, installed, uninstall

__all__ = ["RealTensorFlowError", "install", "installed", "uninstall"]
