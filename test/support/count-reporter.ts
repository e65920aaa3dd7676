import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Prints `N passed, N failed` as the very last line, after the coverage that vitest prints at the end. */
export default class CountReporter implements Reporter {
  #passed = 0;
  #failed = 0;
  /** Whether the caller asked for some tests only. Then vitest skips the others, which is no failure. */
  #isPartial = false;

  onInit(vitest: Vitest): void {
    this.#isPartial = vitest.getGlobalTestNamePattern() !== undefined;
    process.on('exit', () => {
      process.stdout.write(`${this.#passed} passed, ${this.#failed} failed\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    this.#failed = errors.length;
    for (const module of modules) {
      // The module failed to load or failed in a hook, and none of its tests reports it.
      if (module.state() === 'failed' && module.children.allTests('failed').next().done === true) this.#failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') this.#passed += 1;
        else if (state !== 'skipped' || !this.#isPartial) this.#failed += 1;
      }
    }
  }
}
