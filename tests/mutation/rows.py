"""Faults of the product, each a replacement of a text that its file has once, and the tests of its subject.

They were chosen by reading the product, not its tests: faults that a person would notice, in all parts of it.
"""

from typing import NamedTuple


class Mutation(NamedTuple):
    """A fault.

    Attributes
    ----------
    path : str
        File below the project's folder.
    old, new : str
    effect : str
        What a person would see.
    tests : str
        Test files and folders of the subject, below ``tests/``, separated by blanks.
    browser : str, optional
        Those of the subject that need a browser.
    """

    path: str
    old: str
    new: str
    effect: str
    tests: str
    browser: str = ""


_SMOKE = "solvers/test_cuda_files.py"
_SCRIPTS = "assets/test_assets_scripts.py"

MUTATIONS = (
    # Solvers on cores
    Mutation(
        "solvers/algorithms/lin_kernighan/kernels/chain_cpu.py",
        "change < -heat * math.log(",
        "change < heat * math.log(",
        "Lin-Kernighan accepts no longer tour, whatever its heat.",
        (
            "solvers/test_golden.py::test_length_matches_the_golden_one[lin-kernighan-berlin52] "
            "solvers/algorithms/lin_kernighan"
        ),
    ),
    Mutation(
        "solvers/algorithms/two_opt/kernels/climb_cpu.py",
        "minimum = min_change(near, far, edge, i + 2, n)",
        "minimum = min_change(near, far, edge, i + 2, n - 1)",
        "2-opt never removes the edge back to the first position: its tours are no local optima.",
        (
            "solvers/algorithms/two_opt/test_two_opt.py "
            "solvers/test_golden.py::test_length_matches_the_golden_one[two-opt-berlin52]"
        ),
    ),
    Mutation(
        "solvers/algorithms/ants/max_min/deposit_schedule.py",
        "is_over(iteration, self.best_since_restart.found,",
        "is_over(iteration, self.best.found,",
        "After its first restart a colony of MAX-MIN Ant System has no patience any more.",
        "solvers/algorithms/ants/max_min/test_max_min_ant_system.py",
    ),
    Mutation(
        "solvers/algorithms/ants/acs/kernels/trails_cpu.py",
        "for place in range(n if n > 2 else n - 1):",
        "for place in range(n - 1):",
        "The edge that closes the best tour gets no pheromone.",
        "solvers/algorithms/ants/acs/test_ant_colony_system.py",
    ),
    Mutation(
        "solvers/algorithms/held_karp/reconstruct.py",
        "shortest_path(distances.T, 0, outside, middle, plan.directed)",
        "shortest_path(distances, 0, outside, middle, plan.directed)",
        "Held-Karp fails on directed instances, as its tour is not as long as it says.",
        (
            "solvers/test_directed.py solvers/algorithms/held_karp/test_directed_paths.py "
            "solvers/algorithms/held_karp/test_held_karp.py"
        ),
    ),
    Mutation(
        "solvers/algorithms/tabu/kernels/tabu_cpu.py",
        "shrink(lists, ADDED, 2 * state[HELD])",
        "shrink(lists, ADDED, 2 * state[TENURE])",
        "The tenure of added edges has no effect.",
        "solvers/algorithms/tabu/test_tabu.py",
    ),
    Mutation(
        "solvers/algorithms/genetic/cpu.py",
        "self.sequence[(pair + 1) % self.m]",
        "self.sequence[(pair - 1) % self.m]",
        "The second parent shown for a child is another tour's.",
        "solvers/algorithms/genetic solvers/reporting/test_populations.py",
    ),
    Mutation(
        "solvers/algorithms/annealing/replica_exchange.py",
        "(moves / np.maximum(1, draws))[self.at], rates,",
        "moves / np.maximum(1, draws), rates,",
        "The acceptance at each temperature is that of another replica.",
        "solvers/algorithms/annealing/test_replica_exchange.py",
    ),
    Mutation(
        "solvers/algorithms/branch_and_cut/relaxation.py",
        '        highs.setOptionValue("simplex_iteration_limit", _UNLIMITED)\n',
        "",
        "After the first branching no linear program may take more than 50 steps: proofs take far longer.",
        "solvers/algorithms/branch_and_cut/test_branch_and_cut.py",
    ),
    Mutation(
        "solvers/algorithms/construction/christofides.py",
        "self._excess, self._compared = max(self._excess, int(maximum)), last",
        "self._excess, self._compared = int(maximum), last",
        "Of many cities the page promises 3/2 of the optimum where the triangle inequality does not hold.",
        "solvers/algorithms/construction/test_christofides.py",
    ),
    # Kernels for CUDA, in the simulator
    Mutation(
        "solvers/algorithms/ants/max_min/kernels/update_cuda.py",
        "tau[forward], tau[backward] = trail, trail",
        "tau[forward] = trail",
        "Trails differ by direction, and pictures of them are not symmetric.",
        _SMOKE,
    ),
    Mutation(
        "solvers/algorithms/two_opt/kernels/thread_cuda.py",
        "if row + uint32(2) < n:",
        "if row + uint32(3) < n:",
        "2-opt on a GPU leaves out the last row of moves.",
        _SMOKE,
    ),
    Mutation(
        "solvers/algorithms/annealing/kernels/chain_cuda.py",
        "shift = i + j + 1 - shift",
        "shift = i + j - shift",
        "The recorded climb of annealing on a GPU does not lead to its tour.",
        _SMOKE,
    ),
    # Readers
    Mutation(
        "data/map_files/xml_places.py",
        'self._name, self._points = "", []',
        "self._points = []",
        "A place of KML without a name has that of the place before.",
        "data/map_files",
    ),
    Mutation(
        "data/tsplib/matrix_formats.py",
        '"UPPER_DIAG_COL": (_lower, 0),',
        '"UPPER_DIAG_COL": (_upper, 0),',
        "Distances of a file with UPPER_DIAG_COL belong to other cities.",
        "data/tsplib/test_data_tsplib.py data/tsplib/test_data_mutants.py",
    ),
    Mutation(
        "data/distance_kinds.py",
        "decimal_degrees(instance.kind, points)",
        "points",
        "Places of GEO are elsewhere once they are measured in metres: minutes are taken for hundredths.",
        "data/test_data_rounding.py commands/test_commands.py tourscope/test_interface.py",
    ),
    Mutation(
        "data/collection/proofs.py",
        "formats = (FORMAT,) if instance.has_negative else (FORMAT, _OLDER)",
        "formats = (FORMAT, _OLDER)",
        "Wrong proofs of an earlier release, of negative distances, are believed.",
        "data/collection/test_data_proofs.py runs/store/test_old_proofs.py",
    ),
    Mutation(
        "data/tables/table.py",
        "limits = (90.0, 180.0) if kind in UNITS",
        "limits = (180.0, 90.0) if kind in UNITS",
        "A table with a place at 120 degrees east is refused.",
        "data/tables/test_data_table.py data/tables/test_data_dialects.py components/instances/test_instance_files.py",
    ),
    # The server of runs
    Mutation(
        "runs/stream/collector.py",
        "                    yield batch\n                    return\n",
        "                    return\n",
        "The last events of a run that ends quickly are lost.",
        "runs/stream runs/engine/test_run_engine.py",
    ),
    Mutation(
        "runs/races/service.py",
        '        self.run_service.owners.require(f"race:{race}")\n',
        "",
        "Any visitor cancels anybody's race.",
        "runs/test_owners.py runs/races/test_run_races.py",
    ),
    Mutation(
        "solvers/plan.py",
        "return max((stage.claim() for stage in self.stages)",
        "return min((stage.claim() for stage in self.stages)",
        "A run claims the memory of its smallest stage: runs begin that do not fit side by side.",
        "solvers/test_plan.py runs/test_admission.py",
    ),
    Mutation(
        "runs/imports/sandbox.py",
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))  # a write beyond it raises OSError\n",
        "",
        "A forged file that somebody sends fills the disk.",
        "test_systems.py runs/imports/test_run_imports.py runs/imports/test_run_upload.py",
    ),
    Mutation(
        "runs/web/guard.py",
        "rate.wait(visitor.id or _find_address(scope))",
        "rate.wait(_find_address(scope))",
        "A class behind one address shares the rate of one visitor: most of them cannot start a run.",
        "runs/web/test_run_guard.py runs/test_owners.py",
    ),
    Mutation(
        "runs/engine/process.py",
        "                worker.replaying = False\n",
        "                pass\n",
        "Each climb that is computed again takes a worker, which nobody uses afterwards.",
        "runs/engine/test_run_replay.py",
    ),
    Mutation(
        "runs/store/recovery.py",
        '        elif path.with_name(f"{path.name}-wal").exists():\n            RunWriter(path).finish()\n',
        "",
        "Whoever copies the file of a run that a killed server had just ended has not all of it.",
        "runs/store/test_run_file.py runs/test_lost_machine.py runs/engine/test_run_engine.py",
    ),
    # Studies
    Mutation(
        "studies/stats/running_time.py",
        "lost_time = failed * _compute_lost_time(table, axis, totals[rows], budget)",
        "lost_time = 0.0",
        "Runs that fail make an algorithm look fast.",
        "studies/stats/test_studies_targets.py studies/report",
    ),
    Mutation(
        "studies/spec/matrix.py",
        "stages, cell.seed, spec.budget",
        "stages, spec.seeds.first, spec.budget",
        "All runs of an entry are the same run.",
        "studies/spec/test_study_spec.py studies/pool/test_study_pool.py",
    ),
    Mutation(
        "studies/pool/pool.py",
        "        file.requeue()\n",
        "",
        "Runs that were going on as a study was killed are never done.",
        "studies/pool/test_study_pool.py studies/file/test_study_file.py",
    ),
    # Components
    Mutation(
        "components/watch/numbers.py",
        '        Output(ids.CLIMB_NAME, "children"),\n        Output(ids.MOVE_NAME, "children"),\n',
        '        Output(ids.MOVE_NAME, "children"),\n        Output(ids.CLIMB_NAME, "children"),\n',
        "The player calls climbers moves, and moves climbers.",
        "components/test_components_callbacks.py components/watch",
        "browser/test_browser_player.py browser/test_browser_watch.py browser/test_browser_ants.py",
    ),
    Mutation(
        "components/watch/launch.py",
        "return await CONTROLS.run(command, run_service, arguments[-1], ctx.triggered_id)",
        "return CONTROLS.run(command, run_service, arguments[-1], ctx.triggered_id)",
        "Pause, Resume, Step and Cancel do nothing.",
        "components/test_components_callbacks.py components/watch",
        "browser/test_browser_watch.py",
    ),
    Mutation(
        "components/study/status.py",
        "poll_disabled=not status.active and done == in_snapshot,",
        "poll_disabled=not status.active,",
        "The last results of a study are not shown until the page is loaded again.",
        "components/study",
        "browser/test_study_page.py",
    ),
    Mutation(
        "assets/texts/de/said.json",
        '  "Another race is running: open it under Recent races and cancel it, or wait.": '
        '"Ein anderes Rennen läuft: es unter Letzte Rennen öffnen und abbrechen, oder warten.",\n',
        "",
        "A refusal to start a race is English on a German page.",
        "components/shell/test_components_said.py components/shell/test_components_languages.py test_translations.py",
    ),
    # Scripts and sheets
    Mutation(
        "assets/common/stream.js",
        "  if (values.seqs.length) wanted.after = values.seqs[values.seqs.length - 1];\n",
        "",
        "After a cut of the network all events come once more, and climbers are counted twice.",
        _SCRIPTS,
        "browser/test_browser_watch.py browser/test_browser_faults.py",
    ),
    Mutation(
        "assets/watch/status/status.js",
        "  else delete document.body.dataset.others;\n",
        "",
        "Who has looked at another visitor's run has no Pause and Cancel for their own.",
        _SCRIPTS,
        "browser/test_browser_own_world.py browser/test_browser_watch.py",
    ),
    Mutation(
        "assets/common/buttons.css",
        'body:not([data-others])[data-run-state="paused"] .when-paused,',
        'body:not([data-others])[data-run-state="pause"] .when-paused,',
        "A paused run can be cancelled alone: Resume and Step are hidden.",
        "components/shell",
        "browser/test_browser_watch.py",
    ),
    Mutation(
        "assets/race/panels.js",
        'place === "tied" ? "lane.tied" : "lane.first"',
        'place === "tied" ? "lane.first" : "lane.tied"',
        "The lane that leads is said to be tied with another.",
        _SCRIPTS,
        "browser/test_browser_race.py",
    ),
    Mutation(
        "assets/library/list.js",
        "  if (document.activeElement === search) search.blur();\n  follow();\n  requestList();\n",
        "  if (document.activeElement === search) search.blur();\n  follow();\n",
        "Back changes the library's fields and not its list.",
        _SCRIPTS,
        "browser/test_browser_library.py",
    ),
    # The command line and the Python interface
    Mutation(
        "tourscope/solving.py",
        "target=target, seed=seed, device=device",
        "target=target, device=device",
        "solve ignores its seed.",
        "tourscope/test_interface.py tourscope/test_generated.py",
    ),
    Mutation(
        "commands/main.py",
        'return 130 if end.stop_reason == "cancelled" else 0',
        "return 0",
        "A script goes on after Ctrl+C as if the run had come to its end.",
        "commands/test_commands.py",
    ),
    Mutation(
        "tourscope/caller.py",
        "            cast(BinaryIO, self._process.stdin).close()\n",
        "            pass\n",
        "Python ends three seconds later than its last line.",
        "tourscope/test_interface.py",
    ),
)
