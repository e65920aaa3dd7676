/*
 * Every npm script loads this first. Node 24 comes with the dev dependency `node`. Its install script puts it first on
 * the path of every npm script.
 * With --ignore-scripts the Node of the machine runs instead. This check reports that before another error hides it.
 */
const minimum = 24;
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < minimum) {
  console.error(
    `Node ${minimum} is required, and this is ${process.versions.node}. The dev dependency "node" installs it: run ` +
      '`npm ci` with install scripts (`npm rebuild node` fixes an install without them), or install Node 24 yourself.',
  );
  process.exit(1);
}

// The configuration imports the terms from dist/, which a fresh clone does not have.
const { writeTermsFiles } = await import('./terms-files.ts');
try {
  await writeTermsFiles('dist');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
