"""Faster versions of parts of Numba's compiler that produce the same machine code.

Numba's own versions take a third of a compilation's time. They repeat analyses that nobody reads, and resolve each call
again in every round of type inference. numba-cuda has copies of most of these parts (`install_cuda`).
"""

import copy
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import chain
from typing import Any

import numba
from llvmlite.binding import ffi
from numba.core import analysis, base, compiler, inline_closurecall, ir, postproc, ssa, targetconfig, transforms, utils
from numba.core.typing import context, templates

from solvers.kernels.cache import numba_cuda_version

#: The versions of Numba, and of numba-cuda, whose parts are replaced.
_VERSIONS, _CUDA_VERSIONS = ((0, 68),), ("0.30",)
# Numba declares no types.
_TargetContext: Any = base.BaseContext
_Template: Any = templates._OverloadFunctionTemplate
_utils: Any = utils
_inlining: Any = inline_closurecall
_order_templates = _utils.order_by_target_specificity
_defaults: dict[type, dict[str, Any]] = {}
_refresh_context = _TargetContext.refresh
_resolved: dict[Any, tuple[Any, Any]] = {}
_ordered: dict[Any, list[Any]] = {}


def _build_analysis(postproc: Any, transforms: Any) -> Callable[..., None]:
    """Build a replacement for `PostProcessor.run` without each block's live variables, which only generators need."""
    analyse_completely = postproc.PostProcessor.run

    def analyse(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        code = self.func_ir
        if code.is_generator:
            analyse_completely(self, emit_dels, extend_lifetimes)
            return
        code.blocks = transforms.canonicalize_cfg(code.blocks)
        code.variable_lifetime = postproc.VariableLifetime(code.blocks)
        code.generator_info = None
        if emit_dels:
            self._insert_var_dels(extend_lifetimes=extend_lifetimes)

    return analyse


def _build_listing(ir: Any) -> Callable[..., list[Any]]:
    """Build a replacement for `Inst._rec_list_vars` that makes fewer calls."""
    # numba-cuda's code may contain parts of Numba's.
    variable_types, instruction_types = getattr(ir, "var_types", ir.Var), getattr(ir, "inst_types", ir.Inst)
    plain = {str, int, type(None), ir.Loc}

    def list_variables(self: Any, value: Any) -> list[Any]:
        if isinstance(value, variable_types):
            return [value]
        if not isinstance(value, list | tuple | dict):
            return value.list_vars() if isinstance(value, instruction_types) else []
        variables: list[Any] = []
        for item in value.values() if isinstance(value, dict) else value:
            if type(item) is ir.Var:
                variables.append(item)
            elif type(item) not in plain:
                variables += list_variables(self, item)
        return variables

    return list_variables


def _find_live_variables(
    cfg: Any, blocks: Any, used: dict[int, set[str]], defined: dict[int, set[str]]
) -> dict[int, set[str]]:
    """Replace `analysis.compute_live_map`; sets are integers with one bit per element."""
    bits: dict[str, int] = {}

    def encode(names: Iterable[str]) -> int:
        whole = 0
        for name in names:
            whole |= bits.setdefault(name, 1 << len(bits))
        return whole

    order = cfg.topo_order()
    uses, defs = ({at: encode(names) for at, names in each.items()} for each in (used, defined))
    reached, live = dict.fromkeys(blocks, 0), dict(uses)
    before: list[int] = []
    while before != (before := list(reached.values())):
        for at in order:
            reached[at] |= defs[at] | uses[at]
            for after, _ in cfg.successors(at):
                reached[after] |= reached[at]
    before = []
    while before != (before := list(live.values())):
        for at in reversed(order):
            for earlier, _ in cfg.predecessors(at):
                live[earlier] |= live[at] & reached[earlier] & ~defs[earlier]
    names = list(bits)
    return {at: {names[k] for k in _list_ones(whole)} for at, whole in live.items()}


def _list_ones(whole: int) -> Iterable[int]:
    while whole:
        yield (whole & -whole).bit_length() - 1
        whole &= whole - 1


def _build_rewrite(ssa: Any) -> Callable[..., dict[int, Any]]:
    """Build a replacement for `ssa._run_block_rewrite` that skips blocks without the variable."""
    rewrite_block = ssa._run_block_rewrite

    def rewrite(blocks: dict[int, Any], states: dict[str, Any], handler: Any) -> dict[int, Any]:
        name, rewritten = states["varname"], dict[int, Any]()
        for label, block in blocks.items():
            if name in _list_variables(block):
                rewritten |= rewrite_block({label: block}, states, handler)
            else:
                rewritten[label] = block
        return rewritten

    return rewrite


def _list_variables(block: Any) -> set[str]:
    """Return the names in a block; they are cached with the block's body, which every change replaces."""
    body, names = getattr(block, "_variables", (None, None))
    if body is not block.body or names is None:
        names = {variable.name for line in block.body for variable in line.list_vars()}
        block._variables = block.body, names
    return names


def _refresh(self: Any) -> None:
    """Replace `BaseContext.refresh`, which every call without an implementation repeats although nothing is new."""
    lists = [vars(registry).values() for registry in (*self._registries, *self.typing_context._registries)]
    if (count := sum(len(each) for each in chain(*lists))) != self.__dict__.get("_registered"):
        _refresh_context(self)
        self._registered = count


def _build_resolution(context: Any) -> Callable[..., Any]:
    """Build a replacement for `BaseContext.resolve_function_type`, which types calls, that caches its results."""
    resolve_call = context.BaseContext.resolve_function_type

    def resolve(self: Any, func: Any, args: Any, kws: Any) -> Any:
        try:
            key = self, func, tuple(args), tuple(sorted(dict(kws).items())), _get_inherited_flags()
            resolved = _resolved.get(key)
        except TypeError:  # an argument has no hash
            return resolve_call(self, func, args, kws)
        keys = getattr(func, "_impl_keys", {})
        if resolved is not None:
            signature, implementation = resolved
            keys[signature.args] = implementation
            return signature
        signature = resolve_call(self, func, args, kws)
        if signature is not None:
            _resolved[key] = signature, keys.get(signature.args)
        return signature

    return resolve


class _BlockCopies:
    """Replaces the module `copy` in inlining, which would copy each block with all variables of its function.

    Attributes
    ----------
    copies : dict
        What has been copied with earlier blocks of the function, by address.
    """

    def __init__(self) -> None:
        self.copies: dict[int, Any] = {}

    def deepcopy(self, block: Any) -> Any:
        """Copy a block; a function's variables are copied only with its first block."""
        if id(block.scope) not in self.copies or id(block) in self.copies:
            self.copies = {}
        return copy.deepcopy(block, self.copies)


def _get_inherited_flags() -> Any:
    """Return the flags that callees inherit from the function being compiled."""
    flags: Any = targetconfig.ConfigStack.top_or_none()
    if not isinstance(flags, compiler.Flags):  # no function is being compiled, or it is compiled for a GPU
        return flags
    return flags.nrt, flags.error_model, flags.forceinline, frozenset(flags.fastmath.flags)


def _find_implementation(self: Any, args: Any, kws: Any) -> Any:
    """Replace `_OverloadFunctionTemplate._get_impl`: callers with equal inherited flags share an implementation.

    An implementation gets no wrapper for C callers.
    """
    key = self.context, tuple(args), tuple(kws.items()), _get_inherited_flags()
    if key in self._impl_cache:
        return self._impl_cache[key]
    self._jit_options = self._jit_options | {"no_cfunc_wrapper": True}
    return self._build_impl(key, args, kws)


def _order(target: Any, choices: Any, fnkey: str = "") -> list[Any]:
    """Replace `utils.order_by_target_specificity` and cache its results."""
    key = target, tuple(choices)
    if key not in _ordered:
        _ordered[key] = _order_templates(target, choices, fnkey)
    return _ordered[key]


def _values(self: Any) -> dict[str, Any]:
    """Replace `TargetConfig.values`, without a call of a property for each option."""
    kind = type(self)
    if kind not in _defaults:
        _defaults[kind] = {name: option.default for name, option in kind.options.items()}
    return _defaults[kind] | self._values


def install() -> None:
    """Replace parts of Numba if its version is known."""
    if numba.version_info.short not in _VERSIONS:
        return
    _replace(analysis, context, ir, postproc, ssa, targetconfig, transforms)
    _TargetContext.refresh = _refresh
    ffi.lib._lock._cblist.clear()  # these callbacks count calls into LLVM, for profilers
    _inlining.copy = _BlockCopies()
    _Template._get_impl = _find_implementation
    _utils.order_by_target_specificity = context.order_by_target_specificity = _order  # type: ignore[attr-defined]


def install_cuda() -> None:
    """Replace parts of numba-cuda if its version is known, once per process."""
    if numba_cuda_version().rpartition(".")[0] in _CUDA_VERSIONS:
        names = (
            "core.analysis", "typing.context", "core.ir", "core.postproc", "core.ssa", "core.targetconfig",
            "core.transforms",
        )  # fmt: skip
        _replace(*(import_module(f"numba.cuda.{name}") for name in names))


def _replace(analysis: Any, context: Any, ir: Any, postproc: Any, ssa: Any, targetconfig: Any, transforms: Any) -> None:
    postproc.PostProcessor.run = _build_analysis(postproc, transforms)
    ir.Inst._rec_list_vars = _build_listing(ir)
    analysis.compute_live_map = _find_live_variables
    ssa._run_block_rewrite = _build_rewrite(ssa)
    context.BaseContext.resolve_function_type = _build_resolution(context)
    targetconfig.TargetConfig.values = _values
    targetconfig.TargetConfig.__hash__ = lambda self: hash(type(self))  # Numba's own hash sorts all options' names
