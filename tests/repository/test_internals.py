"""Check that the internals of libraries used by the program exist.

No release promises to keep them, so `pyproject.toml` keeps these libraries below the next minor version. If this fails
after a bound was raised, read the code that uses the missing name: `web/http/connection_limits.py`, `web/server.py`,
`core/compiled.py`, `core/lean.py` and `bots/search/native_library.py`.
"""

from __future__ import annotations

import asyncio
import re
import tomllib
from importlib.metadata import version
from typing import Any

import llvmlite.binding
import numba
import pytest
import uvicorn
from numba.core import codegen, registry
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from spieltisch.core import lean
from tests.paths import ROOT

INTERNALS = {
    "uvicorn": {
        "protocol": "_start_asgi_task _unset_keepalive_if_required client connection_lost connection_made cycle loop"
        " on_body on_header on_headers_complete on_message_begin on_message_complete parser pipeline transport",
        "server": "config on_tick server_state should_exit shutdown startup",
        "state": "connections",
        "config": "forwarded_allow_ips get_loop_factory http proxy_headers",
        "proxies": "trusted_hosts",
    },
    "numba": {
        "code": "_final_module _finalize_dynamic_globals _finalized _get_module_for_linking _linking_libraries"
        " _raise_if_finalized _reload_init finalize get_llvm_str name",
        "engine": "_engine set_env",
        "dispatcher": "compile get_call_template overloads",
        "settings": "BOUNDSCHECK CACHE_DIR",
    },
    "llvmlite": {
        "llvm": "create_mcjit_compiler get_host_cpu_features get_host_cpu_name get_process_triple object_file"
        " initialize_native_asmprinter initialize_native_target parse_assembly parse_bitcode",
    },
}
"""By library, by what `objects` holds: the attributes that are used."""


async def _application(scope: Any, receive: Any, send: Any) -> None: ...


@pytest.fixture(scope="module")
def objects() -> dict[str, Any]:
    loop = asyncio.new_event_loop()
    config = uvicorn.Config(_application, log_config=None, http=HttpToolsProtocol, lifespan="off")
    config.load()
    server = uvicorn.Server(config)
    engine: Any = registry.cpu_target.target_context.codegen()
    try:
        return {
            "protocol": HttpToolsProtocol(config, ServerState(), {}, loop),
            "server": server,
            "state": server.server_state,
            "config": config,
            "proxies": ProxyHeadersMiddleware(_application, "127.0.0.1"),
            "code": engine.create_library("internals"),
            "engine": engine,
            "dispatcher": numba.njit(lambda: 0),
            "settings": numba.config,
            "llvm": llvmlite.binding,
        }
    finally:
        loop.close()


@pytest.mark.parametrize("library", INTERNALS)
def test_used_private_attributes_of_libraries_exist(library: str, objects: dict[str, Any]) -> None:
    missing = [
        f"{type(objects[attribute_owner]).__name__}.{name}"
        for attribute_owner, names in INTERNALS[library].items()
        for name in names.split()
        if not hasattr(objects[attribute_owner], name)
    ]
    assert missing == [], f"{library} {version(library)} is not as its users here expect it"


def test_a_response_is_told_that_the_client_has_disconnected() -> None:
    used_properties = {"disconnected", "message_event", "response_complete", "response_started"}
    assert used_properties <= set(RequestResponseCycle.__init__.__code__.co_names)


def test_numba_has_the_methods_replaced_during_compilation() -> None:
    assert "finalize" in vars(codegen.CPUCodeLibrary)
    assert "set_env" in vars(codegen.JITCPUCodegen)
    assert numba.__version__.startswith(lean.SUPPORTED_NUMBA_VERSIONS)


@pytest.mark.parametrize("library", INTERNALS)
def test_requirements_exclude_the_next_minor_version_of_libraries_with_used_internals(library: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required_packages = project["dependencies"] + project["optional-dependencies"]["compile"]
    (needed,) = [dependency for dependency in required_packages if re.match(rf"{library}\b", dependency)]
    major, minor = version(library).split(".")[:2]
    assert needed.endswith(f",<{major}.{int(minor) + 1}"), f"{needed}: {version(library)} is installed"
