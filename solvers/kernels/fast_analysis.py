"""Faster versions of parts of Numba's compiler, with the same results: the machine code does not change.

Numba's own take a third of the time of a compilation. They recompute analyses that nobody reads, and resolve each call
again in every round of type inference.
"""

from collections.abc import Iterable
from typing import Any

import numba
from numba.core import analysis, compiler, ir, postproc, ssa, targetconfig, transforms, types, utils
from numba.core.typing import context, templates

#: The versions of Numba whose parts are replaced.
_VERSIONS = ((0, 68),)
# Numba declares no types.
_PostProcessor: Any = postproc.PostProcessor
_Context: Any = context.BaseContext
_Template: Any = templates._OverloadFunctionTemplate
_Config: Any = targetconfig.TargetConfig
_Function: Any = types.BaseFunction
_ssa: Any = ssa
_utils: Any = utils
_analyse_completely, _rewrite_block = _PostProcessor.run, _ssa._run_block_rewrite
_resolve_call, _order_templates = _Context.resolve_function_type, _utils.order_by_target_specificity
_defaults: dict[type, dict[str, Any]] = {}
_resolved: dict[Any, tuple[Any, Any]] = {}
_ordered: dict[Any, list[Any]] = {}


def _analyse(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Replace `PostProcessor.run`, without the live variables of each block, which only generators need."""
    code = self.func_ir
    if code.is_generator:
        _analyse_completely(self, emit_dels, extend_lifetimes)
        return
    code.blocks = transforms.canonicalize_cfg(code.blocks)
    code.variable_lifetime = postproc.VariableLifetime(code.blocks)
    code.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


def _list_variables(self: Any, value: Any) -> list[Any]:
    """Replace `Inst._rec_list_vars`, with fewer calls."""
    if isinstance(value, ir.Var):
        return [value]
    if not isinstance(value, list | tuple | dict):
        return value.list_vars() if isinstance(value, ir.Inst) else []
    variables: list[Any] = []
    for item in value.values() if isinstance(value, dict) else value:
        if type(item) is ir.Var:
            variables.append(item)
        elif type(item) is not str:
            variables += _list_variables(self, item)
    return variables


def _find_live_variables(
    cfg: Any, blocks: Any, used: dict[int, set[str]], defined: dict[int, set[str]]
) -> dict[int, set[str]]:
    """Replace `analysis.compute_live_map`, with sets as the bits of integers."""
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
    return {at: {names[k] for k in _ones(whole)} for at, whole in live.items()}


def _ones(whole: int) -> Iterable[int]:
    while whole:
        yield (whole & -whole).bit_length() - 1
        whole &= whole - 1


def _rewrite(blocks: dict[int, Any], states: dict[str, Any], handler: Any) -> dict[int, Any]:
    """Replace `ssa._run_block_rewrite`: leave blocks that do not contain the variable as they are."""
    name, rewritten = states["varname"], dict[int, Any]()
    for label, block in blocks.items():
        if name in _variables(block):
            rewritten |= _rewrite_block({label: block}, states, handler)
        else:
            rewritten[label] = block
    return rewritten


def _variables(block: Any) -> set[str]:
    """Return the names in a block, stored with its body, which is replaced when it changes."""
    body, names = getattr(block, "_variables", (None, None))
    if body is not block.body or names is None:
        names = {variable.name for line in block.body for variable in line.list_vars()}
        block._variables = block.body, names
    return names


def _resolve(self: Any, func: Any, args: Any, kws: Any) -> Any:
    """Replace `BaseContext.resolve_function_type`, which types a call, and cache its results."""
    try:
        key = self, func, tuple(args), tuple(sorted(dict(kws).items())), _inherited()
        resolved = _resolved.get(key)
    except TypeError:  # an argument has no hash
        return _resolve_call(self, func, args, kws)
    keys = func._impl_keys if isinstance(func, _Function) else {}
    if resolved is not None:
        signature, implementation = resolved
        keys[signature.args] = implementation
        return signature
    signature = _resolve_call(self, func, args, kws)
    if signature is not None:
        _resolved[key] = signature, keys.get(signature.args)
    return signature


def _inherited() -> Any:
    """Return those flags of the function being compiled that its callees inherit."""
    flags: Any = targetconfig.ConfigStack.top_or_none()
    if not isinstance(flags, compiler.Flags):  # there is none, or it is compiled for a GPU
        return flags
    return flags.nrt, flags.error_model, flags.forceinline, frozenset(flags.fastmath.flags)


def _find_implementation(self: Any, args: Any, kws: Any) -> Any:
    """Replace `_OverloadFunctionTemplate._get_impl`: one implementation for all callers that pass on equal flags.

    It gets no wrapper for C callers.
    """
    key = self.context, tuple(args), tuple(kws.items()), _inherited()
    if key in self._impl_cache:
        return self._impl_cache[key]
    self._jit_options = self._jit_options | {"no_cfunc_wrapper": True}
    return self._build_impl(key, args, kws)


def _order(target: Any, choices: Any, fnkey: str = "") -> list[Any]:
    """Replace `utils.order_by_target_specificity`, and cache its results."""
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
    """Replace the parts of this Numba, if they are known."""
    if numba.version_info.short not in _VERSIONS:
        return
    _PostProcessor.run = _analyse
    ir.Inst._rec_list_vars = _list_variables
    analysis.compute_live_map = _find_live_variables
    _ssa._run_block_rewrite = _rewrite
    _Context.resolve_function_type = _resolve
    _Template._get_impl = _find_implementation
    _utils.order_by_target_specificity = context.order_by_target_specificity = _order  # type: ignore[attr-defined]
    _Config.values = _values
    _Config.__hash__ = lambda self: hash(type(self))  # Numba's own sorts the names of all options
