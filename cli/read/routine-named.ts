// The routine that the command line names, by its id or its name. Owns: that look-up.
import { z } from 'zod';
import type { Client } from '../kit/client.ts';
import { type Place, UsageError } from '../kit/command.ts';
import { nearest } from '../kit/near.ts';
import { plain } from '../kit/table.ts';

const Named = z.looseObject({ routineId: z.string(), name: z.string() });

const isId = (text: string): boolean => /^rtn_[0-9A-Z]{26}$/.test(text);

/**
 * Its id. An id is taken as it is: whether it is there is the API's to say. Throws UsageError, with the names there are, when
 * none or several have the name.
 */
export const routineNamed = async (api: Client, wanted: string, place: Place): Promise<string> => {
  if (isId(wanted)) return wanted;
  const routines = await api.all(Named, '/v1/routines');
  const found = routines.filter(({ name }) => name === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.routineId;
  if (found.length > 1) {
    const ids = found.map(({ routineId }) => routineId).join(', ');
    throw new UsageError(
      place.say(
        `${found.length} routines are named "${wanted}". Name one by its id: ${ids}.`,
        `${found.length} routines s’appellent « ${wanted} ». Nommez-en une par son identifiant : ${ids}.`,
      ),
    );
  }
  if (routines.length === 0)
    throw new UsageError(place.say('There is no routine yet.', 'Il n’y a pas encore de routine.'));
  const names = routines.map(({ name }) => name);
  const meant = nearest(wanted, names);
  const all = plain(names.map((name) => `"${name}"`).join(', '));
  throw new UsageError(
    place.say(
      `There is no routine "${wanted}"${meant === undefined ? '' : ` (did you mean "${meant}"?)`}. There are: ${all}.`,
      `Il n’y a pas de routine « ${wanted} »${meant === undefined ? '' : ` (« ${meant} » ?)`}. Il y a : ${all}.`,
    ),
  );
};
