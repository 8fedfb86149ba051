// The stack's template under all its cases, in one process: the CDK is loaded once, and most cases share one synthesis.
import './cases/manifest.ts';
import './cases/laws.ts';
import './cases/machines.ts';
import './cases/edge.ts';
import './cases/account.ts';
import './cases/checks.ts';
