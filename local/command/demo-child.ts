// The demo destinations as a child of the twin: runs their command, and ends it when the parent is gone, a moment later,
// so that what the destinations were doing when the twin died is still done. Owns: that farewell.
import '../demo/main.ts';

const farewellMs = 500;
const patienceMs = 2_000;

// A listener alone would keep this process alive after its server has closed.
process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGTERM'), farewellMs);
  setTimeout(() => process.exit(0), farewellMs + patienceMs);
});
process.channel?.unref();
