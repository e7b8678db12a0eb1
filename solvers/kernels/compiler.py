"""`njit` for this program's kernels: like Numba's, but unused code is neither compiled nor loaded.

Python calls only a few kernels; most are called only by other kernels. The latter are linked into their callers, and
need neither machine code of their own nor code that unpacks Python's arguments. Kernels that Python calls are never
linked into others; they are stored only as machine code, and may come with the package (`solvers.kernels.shipped`).
"""

import os
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import caching, codegen, compiler, dispatcher, types
from numba.core.registry import CPUDispatcher
from numba.extending import overload
from numba.np import arrayobj, linalg

from solvers.kernels import fast_analysis, shipped
from solvers.kernels.cache import find_cpu_folder
from solvers.kernels.compiling import pause_collection, progress
from solvers.kernels.turns import end_turns, take_turn

_ROOT = Path(__file__).resolve().parents[2]
# Numba declares the types of only some of its attributes.
_config: Any = numba.config
_types: Any = types
_NumbasDispatcher: Any = CPUDispatcher
_NumbasCompiler: Any = dispatcher._FunctionCompiler  # type: ignore[attr-defined]
_NumbasLibrary: Any = codegen.JITCodeLibrary
_NumbasLocator: Any = caching.UserProvidedCacheLocator
_NumbasStore: Any = caching.CompileResultCacheImpl
_NumbasCache: Any = caching.FunctionCache
_linalg: Any = linalg


def njit(
    function: Callable[..., Any] | None = None, *, cache: bool = False, shared: bool = False, **options: Any
) -> Any:
    """Compile a function like `numba.njit`, which also documents the other options.

    Parameters
    ----------
    function : callable, optional
    cache : bool
        Whether to cache on disk the machine code that Python calls.
    shared : bool
        Whether other kernels call the stored machine code instead of linking a copy. For large functions that are
        called rarely; in its module, the kernel must have the function's name.

    Returns
    -------
    dispatcher; without a function, a decorator
    """

    def decorate(function: Callable[..., Any]) -> Any:
        if _config.DISABLE_JIT:
            return function
        kernel = (_SharedKernel if shared else _Kernel)(function, targetoptions=_DEFAULTS | options)
        if cache:
            kernel.enable_caching()
        return kernel

    return decorate if function is None else decorate(function)


#: Defaults of `numba.njit`, but without a wrapper for C callers.
_DEFAULTS = {"nopython": True, "boundscheck": None, "no_cfunc_wrapper": True}


class _Kernel(_NumbasDispatcher):
    """A function that Python calls; kernels that call it use `_for_kernels`."""

    def enable_caching(self) -> None:
        self._cache = _Cache(self.py_func)

    def is_stored(self) -> bool:
        """Return whether the machine code for these types is stored, so that it need not be compiled."""
        return bool(self.overloads or shipped.find_usable_build() or self._cache._cache_file._load_index())

    def compile(self, sig: Any) -> Any:
        """Compile or load a signature, with garbage collection off, which would take a tenth of the time."""
        with pause_collection(), end_turns(_find_folder()):
            return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        """Add compiled or loaded code, and make the constants of the functions linked into it available."""
        for environment in cres._find_referenced_environments():
            cres.codegen.set_env(environment.env_name, environment)
        super().add_overload(cres)

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self._for_kernels)

    @cached_property
    def _for_kernels(self) -> "_LinkedKernel":
        return _LinkedKernel(self.py_func, self.locals, self.targetoptions | {"no_cpython_wrapper": True})


class _SharedKernel(_Kernel):
    """A function whose machine code both Python and kernels call."""

    def __init__(self, py_func: Any, targetoptions: Any) -> None:
        super().__init__(py_func, targetoptions=targetoptions)
        self._compiler.pipeline_class = _NamedCompiler

    def add_overload(self, cres: Any) -> None:
        """Add compiled or loaded code, but hide its library, so that kernels do not link it."""
        super().add_overload(cres)
        cres.target_context.remove_user_function(cres.entry_point)
        cres.target_context.insert_user_function(cres.entry_point, cres.fndesc)
        _shared[cres.fndesc.mangled_name] = self.py_func.__module__, self.py_func.__name__, cres.signature.args

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """See `_LinkedKernel`."""
        return super().get_call_template(*_drop_literals(args, kws))


#: The shared kernels compiled or loaded so far: module, name and argument types by symbol.
_shared: dict[str, tuple[str, str, tuple[Any, ...]]] = {}


class _NamedCompiler(compiler.Compiler):
    """Gives a function the same symbol in all processes, so that stored machine code can find it."""

    def _compile_bytecode(self) -> Any:
        self.state.func_id.unique_id = 0  # Numba counts its own from 1
        return super()._compile_bytecode()


class _LinkedKernel(_NumbasDispatcher):
    """A function that only kernels call, which link it; it needs no machine code of its own."""

    def __init__(self, py_func: Any, locals: Any, targetoptions: Any) -> None:
        super().__init__(py_func, locals, targetoptions)
        self._compiler = _LinkedCompiler(py_func, self.targetdescr, targetoptions, locals, compiler.Compiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile for a call, but not again for each literal argument: Numba first types even variables as literals."""
        return super().get_call_template(*_drop_literals(args, kws))

    def add_overload(self, cres: Any) -> None:
        """Store the code for kernels; Python never calls it."""
        self.overloads[tuple(cres.signature.args)] = cres


def _drop_literals(args: Any, kws: Any) -> Any:
    return tuple(map(_types.unliteral, args)), {name: _types.unliteral(kind) for name, kind in kws.items()}


class _LinkedCompiler(_NumbasCompiler):
    def _compile_core(self, args: Any, return_type: Any) -> Any:
        context = self.targetdescr.target_context
        flags: Any = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = True
        cres = compiler.compile_extra(
            self.targetdescr.typing_context, context, self.py_func, args, return_type, flags, self.locals,
            library=_LinkedLibrary(context.codegen(), self.py_func.__qualname__), pipeline_class=self.pipeline_class,
        )  # fmt: skip
        cres = cres._replace(entry_point=object())  # the key by which callers find this code
        context.insert_user_function(cres.entry_point, cres.fndesc, [cres.library])
        return cres


class _LinkedLibrary(_NumbasLibrary):
    """Optimised code that is linked into other code, but is not loaded by itself."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


def _refuse_slice(shapes: Any, value: Any) -> None:
    """Replace the function of Numba that has the same purpose."""


@overload(_refuse_slice)
def _refuse_slice_shortly(shapes: Any, value: Any) -> Any:
    def refuse(shapes: Any, value: Any) -> None:
        raise ValueError("cannot assign slice from input of different size")

    return refuse


def _import_array_functions() -> None:
    """Import Numba's array functions without SciPy's linear algebra, which takes a quarter of the time to first kernel.

    They import SciPy, 9 MB of memory, only to check that it is installed; a user's kernel that needs it still does.
    """
    check, _linalg.ensure_blas = _linalg.ensure_blas, lambda: None
    import_module("numba.np.arraymath")
    _linalg.ensure_blas = check


_import_array_functions()
fast_analysis.install()
#: Numba's own function puts both shapes into its message, which adds thirty string functions to every kernel that
#: assigns to a slice.
arrayobj.raise_with_shape_context = _refuse_slice


def _find_folder() -> str:
    return find_cpu_folder(_config.CACHE_DIR)


class _Locator(_NumbasLocator):
    """Identifies a folder by its path in the program, so that compiled code can move between machines."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        folder = Path(os.path.abspath(py_file)).parent.relative_to(_ROOT)
        self._cache_path = os.path.join(_find_folder(), ".".join(folder.parts))


#: Index of the variables' types in the data that Numba stores with a function's library.
_TYPES = 5


class _Store(_NumbasStore):
    _locator_classes = (_Locator, *_NumbasStore._locator_classes)

    def reduce(self, cres: Any) -> tuple[Any, ...]:
        """Return the form to be stored: the shared kernels called, and machine code without the variables' types.

        Instead of the library's bitcode, which callers would link, a stub declares the functions that Python calls,
        because the engine finds only declared names.
        """
        (name, kind, (code, _)), *parts = super().reduce(cres)
        parts[_TYPES] = ""
        stub = f'define void @"{cres.fndesc.llvm_cpython_wrapper_name}"() {{ unreachable }}'
        called = {function.name for function in cres.library._final_module.functions if function.is_declaration}
        needs = [_shared[name] for name in sorted(called & _shared.keys())]
        return needs, (name, kind, (code, llvm.parse_assembly(stub).as_bitcode())), *parts

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Load stored code, after the shared kernels that it calls."""
        needs, *parts = payload
        for module, name, args in needs:
            getattr(import_module(module), name).compile(args)
        return super().rebuild(target_context, parts)


class _Cache(_NumbasCache):
    """The user's cache, in which Numba looks after the package's own kernels."""

    _impl_class = _Store

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        build = shipped.find_usable_build()
        if build is not None and self._enabled:
            _, _, code = self._index_key(sig, target_context.codegen())
            file = shipped.IndexFile(
                Path(self._cache_path).name, self._impl.filename_base, self._impl.locator.get_source_stamp()
            )
            data = file.load(*((sig, magic, code) for magic in build.magics))
            if data is not None:
                return self._impl.rebuild(target_context, data)
        data = super()._load_overload(sig, target_context)
        if data is None and self._enabled:
            take_turn(_find_folder(), f"{self._cache_path} {self._impl.filename_base} {sig}")
            data = super()._load_overload(sig, target_context)  # meanwhile another process may have compiled this
        if data is None:
            progress.begin()
        return data
