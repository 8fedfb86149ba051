// Installs the twin's replacements of dynalite's helpers. Imported once, for its effect, by whoever
// runs dynalite's actions.
// Owns: which helpers are replaced, and by what.

import { checkCondition, compare, satisfiesLegacy } from './compare.ts';
import { conditionParser, helpers, projectionParser, updateParser } from './dynalite.ts';
import { remembering } from './expressions.ts';
import { hashPrefix, indexKey, itemKey } from './keys.ts';
import { project, valueAt } from './paths.ts';
import { consumedCapacity, itemBytes } from './sizes.ts';

helpers.compare = compare;
helpers.matchesFilter = satisfiesLegacy;
helpers.mapPath = valueAt;
helpers.mapPaths = project;
helpers.checkConditional = checkCondition;
helpers.itemSize = itemBytes;
helpers.addConsumedCapacity = consumedCapacity;
helpers.hashPrefix = hashPrefix;
helpers.createKey = itemKey;
helpers.createIndexKey = indexKey;
// Index entries are written with the item, in writes.ts.
helpers.updateIndexes = (...[, , , , done]) => done();
helpers.queryTable = (store, _table, data, range, _isLocal, _fetch, startKeyNames, then) =>
  then(null, store.page(data, range, startKeyNames));
/** dynalite's parsers as they were. */
export const freshParse = {
  condition: conditionParser.parse,
  projection: projectionParser.parse,
  update: updateParser.parse,
};
conditionParser.parse = remembering(freshParse.condition);
projectionParser.parse = remembering(freshParse.projection);
updateParser.parse = remembering(freshParse.update);
