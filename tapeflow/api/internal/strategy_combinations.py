"""`tf.__internal__.distribute.combinations`: tests that run once for each strategy.

A strategy that needs devices which are not there, or several processes, has its name: tests with
the former are skipped, tests with the latter fail with words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tapeflow as tf
from tapeflow.api.internal.test_combinations import (
    Combinations,
    OptionalParameter,
    ParameterModifier,
    TestCombination,
    generate_tests,
    plain_combinations,
)
from tapeflow.base.exports import export, publish

_SPACE = "__internal__.distribute.combinations"


class NamedDistribution:
    """A strategy that is made for each test, and what it needs."""

    def __init__(self, name: str, distribution_fn: Callable[[], Any], required_gpus: int | None = 0,
                 required_physical_gpus: int = 0, required_tpu: bool = False,
                 use_cloud_tpu: bool = False, has_chief: bool = False, num_workers: int = 1,
                 num_ps: int = 0, share_gpu: bool = True, pool_runner_fn: Callable | None = None,
                 no_xla: bool = False):
        self._name, self._make = name, distribution_fn
        self.required_gpus, self.required_physical_gpus = required_gpus, required_physical_gpus
        self.required_tpu, self.use_cloud_tpu = required_tpu, use_cloud_tpu
        self.has_chief, self.num_workers, self.num_ps = has_chief, num_workers, num_ps
        self.share_gpu, self.no_xla = share_gpu, no_xla
        self.runner = None if pool_runner_fn is None else pool_runner_fn()

    @property
    def strategy(self) -> Any:
        """A new strategy."""
        if self.has_chief + self.num_workers > 1:
            raise NotImplementedError(
                f"{self._name} needs several processes, which a test cannot start: run a program "
                "with `tapeflow launch` instead.")
        return self._make()

    def __repr__(self) -> str:
        return self._name


class _Strategies(ParameterModifier):
    """Puts a new strategy in the place of its name."""

    def modified_arguments(self, kwargs: dict, requested_parameters: Any) -> dict:
        return {key: one.strategy for key, one in kwargs.items()
                if isinstance(one, NamedDistribution)}


class _Distribution(TestCombination):
    """Tests whose strategies need no device that is not there."""

    def should_execute_combination(self, kwargs: dict) -> tuple[bool, str | None]:
        named = [one for one in kwargs.values() if isinstance(one, NamedDistribution)]
        asked = [kwargs.get(name) or 0 for name in ("required_gpus", "required_physical_gpus")]
        gpus = max(asked + [one.required_gpus or 0 for one in named]
                   + [one.required_physical_gpus for one in named])
        if gpus:
            return False, f"Only 0 of {gpus} required GPUs are available."
        if kwargs.get("required_tpus") or kwargs.get("required_tpu") or any(
                one.required_tpu for one in named):
            return False, "Test requires a TPU, but it's not available."
        return True, None

    def parameter_modifiers(self) -> list[ParameterModifier]:
        return [_Strategies(), *[OptionalParameter(name) for name in (
            "use_var_policy", "required_gpus", "required_physical_gpus", "required_tpus",
            "required_tpu", "use_cloud_tpu")]]


@export(f"{_SPACE}.generate")
def generate(combinations: Combinations, test_combinations: tuple = ()) -> Callable:
    """Decorator of a test, or of a class of tests: one for each combination."""
    return generate_tests(combinations, (
        *plain_combinations(), _Distribution(), *test_combinations))


class TestEnvironment:
    """What tests note for the processes that they start."""

    tf_data_service_dispatcher: Any = None
    total_phsyical_gpus = 0


_environment = TestEnvironment()


@export(f"{_SPACE}.env")
def env() -> TestEnvironment:
    """What tests note for the processes that they start."""
    return _environment


@export(f"{_SPACE}.in_main_process")
def in_main_process() -> bool:
    """Whether this is the process that runs the tests: always."""
    return True


# -- the strategies --------------------------------------------------------------------------------
def _mirrored(*devices: str) -> Callable[[], Any]:
    return lambda: tf.distribute.MirroredStrategy(devices)


def _elsewhere() -> Any:
    raise AssertionError("tests of strategies on other machines are skipped or refused before")


_WORKERS = {"has_chief": True, "num_workers": 1}
_SERVERS = {"has_chief": True, "num_ps": 2}
for _public, _name, _make, _needs in (
        ("default_strategy", "Default", lambda: tf.distribute.get_strategy(), {}),
        ("one_device_strategy", "OneDeviceCPU",
         lambda: tf.distribute.OneDeviceStrategy("/cpu:0"), {}),
        ("one_device_strategy_gpu", "OneDeviceGPU", _elsewhere, {"required_gpus": 1}),
        ("tpu_strategy", "TPU", _elsewhere, {"required_tpu": True}),
        ("tpu_strategy_packed_var", "TPUPackedVar", _elsewhere, {"required_tpu": True}),
        ("tpu_strategy_one_core", "TPUOneCore", _elsewhere, {"required_tpu": True}),
        ("cloud_tpu_strategy", "CloudTPU", _elsewhere,
         {"required_tpu": True, "use_cloud_tpu": True}),
        ("mirrored_strategy_with_one_cpu", "Mirrored1CPU", _mirrored("/cpu:0"), {}),
        ("mirrored_strategy_with_one_gpu", "Mirrored1GPU", _elsewhere, {"required_gpus": 1}),
        ("mirrored_strategy_with_gpu_and_cpu", "MirroredCPUAndGPU", _elsewhere,
         {"required_gpus": 1}),
        ("mirrored_strategy_with_two_cpus", "Mirrored2CPUs", _mirrored("/cpu:0", "/cpu:1"), {}),
        ("mirrored_strategy_with_cpu_1_and_2", "Mirrored2CPU", _mirrored("/cpu:1", "/cpu:2"), {}),
        ("mirrored_strategy_with_two_gpus", "Mirrored2GPUs", _elsewhere, {"required_gpus": 2}),
        ("mirrored_strategy_with_two_gpus_no_merge_call", "Mirrored2GPUsNoMergeCall", _elsewhere,
         {"required_physical_gpus": 2}),
        ("central_storage_strategy_with_two_gpus", "CentralStorage2GPUs", _elsewhere,
         {"required_gpus": 2}),
        ("central_storage_strategy_with_gpu_and_cpu", "CentralStorageCPUAndGPU", _elsewhere,
         {"required_gpus": 1}),
        ("multi_worker_mirrored_2x1_cpu", "MultiWorkerMirrored2x1CPU", _elsewhere, _WORKERS),
        ("multi_worker_mirrored_2x1_gpu", "MultiWorkerMirrored2x1GPU", _elsewhere,
         {**_WORKERS, "required_gpus": 1}),
        ("multi_worker_mirrored_2x1_gpu_noshare", "MultiWorkerMirrored2x1GPUNoShare", _elsewhere,
         {**_WORKERS, "required_gpus": 1}),
        ("multi_worker_mirrored_2x2_gpu", "MultiWorkerMirrored2x2GPU", _elsewhere,
         {**_WORKERS, "required_gpus": 2}),
        ("multi_worker_mirrored_2x2_gpu_no_merge_call", "MultiWorkerMirrored2x2GPUNoMergeCall",
         _elsewhere, {**_WORKERS, "required_physical_gpus": 2}),
        ("parameter_server_strategy_3worker_2ps_cpu", "ParameterServer3Worker2PSCPU", _elsewhere,
         {**_SERVERS, "num_workers": 3}),
        ("parameter_server_strategy_1worker_2ps_cpu", "ParameterServer1Worker2PSCPU", _elsewhere,
         {**_SERVERS, "num_workers": 1}),
        ("parameter_server_strategy_3worker_2ps_1gpu", "ParameterServer3Worker2PS1GPU",
         _elsewhere, {**_SERVERS, "num_workers": 3, "required_gpus": 1}),
        ("parameter_server_strategy_1worker_2ps_1gpu", "ParameterServer1Worker2PS1GPU",
         _elsewhere, {**_SERVERS, "num_workers": 1, "required_gpus": 1})):
    publish(NamedDistribution(_name, _make, **_needs), f"{_SPACE}.{_public}")
