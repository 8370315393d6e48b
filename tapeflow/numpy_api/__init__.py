"""tf.experimental.numpy: NumPy's functions and dtype promotion on Tensors, for gradients too.

Written over the public functions of `tf`; nothing here has a rule or a kernel of its own. Loaded
when a name of `tf.experimental.numpy` is first used (`api/lazy_modules.py`); nothing else imports
it.
"""

from tapeflow.numpy_api import behaviour as behaviour
from tapeflow.numpy_api import creation as creation
from tapeflow.numpy_api import elementwise as elementwise
from tapeflow.numpy_api import pairs as pairs
from tapeflow.numpy_api import random as random
from tapeflow.numpy_api import reductions as reductions
from tapeflow.numpy_api import shaping as shaping
from tapeflow.numpy_api import sorting as sorting
