// The words of agents, tools and skills, in English.
import { pluralIn } from '../../base/plural.ts';

const plural = pluralIn('en');

const agents = {
  title: 'Agents',
  empty: 'There is no agent yet.',
  emptyHint: 'An admin makes one, here or with POST /v1/agents.',
  revision: (revision: number) => `Revision ${revision}`,
  revisions: 'Revisions',
  newest: 'newest',
  prompt: 'Prompt',
  model: 'Model',
  tools: 'Tools',
  skills: 'Skills',
  noSkills: 'None',
  grant: { always: 'granted outright', on_request: 'on request' },
  stepLimit: 'Step limit',
  price: 'Price per million tokens',
  made: 'made',
  compare: 'Compare',
  with: 'with',
  differences: 'What changed',
  first: 'The first revision.',
  same: 'Nothing changed.',
  was: 'was',
  becomes: 'becomes',
  added: 'added',
  removed: 'removed',
  keep: 'Runs in progress keep the revision they started with.',
  edit: 'Make a new revision',
  saveRevision: 'Save as a new revision',
  saved: (revision: number) => `Revision ${revision} is made.`,
  json: 'Configuration as JSON',
  firstOne: 'Make an agent',
  badJson: 'This is no JSON object.',
  talk: 'Begin a conversation',
  script: (name: string) => `Script “${name}”`,
  providers: {
    anthropic: 'Anthropic',
    bedrock: 'Amazon Bedrock',
    'openai-compatible': 'OpenAI-compatible',
    scripted: 'plays a script, no model',
  },
  brings: (tools: number, skills: number) =>
    `${plural(tools, { one: '# tool', other: '# tools' })}, ${plural(skills, { one: '# skill', other: '# skills' })}`,
};

const tools = {
  title: 'Tools',
  empty: 'There is no tool yet.',
  emptyHint: 'An admin registers one, here or with POST /v1/tools.',
  version: (version: number) => `Version ${version}`,
  versions: 'Versions',
  description: 'Description',
  argumentsSchema: 'Arguments',
  contract: 'Contract',
  contractHint: 'What the destination promises, and what that means when a reply is lost.',
  field: 'Field',
  value: 'Declared',
  meaning: 'What it means for recovery',
  verification: 'Verification',
  noNeed: 'not needed',
  neverVerified: 'Never verified: no automatic repeat.',
  verifiedBy: (name: string) => `by ${name}`,
  raw: 'Registration as JSON',
  newest: 'newest',
  edit: 'Make a new version',
  save: 'Save as a new version',
  json: 'Registration as JSON, to edit',
  firstOne: 'Register a tool',
  first: 'The first version.',
  keep: 'Agents keep the version they are pinned to until their next revision.',
  fields: {
    effect: 'Effect',
    destination: 'Destination',
    success: 'Proof of success',
    disproof: 'Proof of no effect',
    alreadyExists: 'Already exists',
    key: 'Key',
    lookUp: 'Look-up',
    coverage: 'Coverage of the look-up',
    progress: 'Progress',
    rateLimit: 'Not now',
    timeout: 'Time limit',
    likeness: 'Likeness',
    whenUndetermined: 'When undetermined',
    approval: 'Approval',
    repeatWindow: 'Repeat window',
    recoverer: 'In charge',
  },
  means: {
    read: 'A read may simply be retried; it opens no attempt and is never undetermined.',
    write: 'A lost reply leaves it undetermined until evidence settles it.',
    irreversible: 'As a write, and no standing permission can cover it.',
    success: (count: number) =>
      plural(count, {
        one: '# pattern proves the effect; any other 2xx is only accepted.',
        other: '# patterns prove the effect; any other 2xx is only accepted.',
      }),
    noSuccess: 'No reply proves the effect: a 2xx is accepted, everything else undetermined.',
    disproof: (count: number) =>
      plural(count, {
        one: '# answer proves that the attempt did nothing; it says nothing of earlier attempts.',
        other:
          '# answers prove that the attempt did nothing; they say nothing of earlier attempts.',
      }),
    noDisproof: 'No answer proves that nothing happened, save a connection that was never made.',
    alreadyExists: 'Leads to a look-up: the existing object may be our own first attempt.',
    noKey: 'A repeat cannot be made safe. Without a look-up a person decides.',
    referenceOnly:
      'The reference travels and can be searched for, but the destination does not deduplicate by it.',
    key: (retention: string) =>
      `A repeat under the same key is safe for ${retention}, counted from the first attempt, less a margin.`,
    onRepeat: {
      returns_first_result: 'A repeat returns the first result.',
      finishes_failed_work: 'A repeat finishes failed work.',
      returns_current_state: 'A repeat returns the object as it is then.',
      overwrites:
        'A repeat would overwrite what was changed since, so none is made while the outcome is open.',
      error: 'A repeat is answered with an error.',
    },
    noLookUp: 'The effect cannot be looked up by the system.',
    byReference:
      'A hit by our own reference proves the effect when account, environment and arguments match.',
    byNatural: 'A natural key (a name) never proves absence, and a hit goes to a person.',
    complete: 'Complete: an empty search proves absence once its settle time has passed.',
    incomplete: 'Incomplete: an empty search proves nothing.',
    progress: 'Still running can be recognised, and is polled until the limit.',
    rateLimit: 'This answer proves “not now”: it may be tried again, bounded and on record.',
    timeout:
      'After this the attempt is over for us; its outcome is then looked for, never guessed.',
    likeness:
      'Two actions with these same arguments look alike. The second asks a person while the first is under way or undetermined, and when the conversation’s last run, which had the first, failed or was stopped.',
    likenessAll: 'All arguments.',
    wait: 'The run waits until it is settled.',
    tell: 'The agent is told that it is undetermined, in fixed words, and goes on.',
    always: 'A person approves each one.',
    never: 'No approval is needed.',
    condition: 'A person approves when this holds over the arguments.',
    repeatWindow: 'Automatic repeats only within this time of the first attempt.',
    recoverer: 'Named on the sheet until somebody claims it.',
  },
};

const skills = {
  title: 'Skills',
  empty: 'There is no skill yet.',
  emptyHint: 'An admin registers one, here or with POST /v1/skills.',
  instructions: 'Instructions',
  tools: 'Tools it brings',
  noTools: 'none',
  json: 'Skill as JSON, to edit',
  firstOne: 'Register a skill',
  version: (version: number) => `Version ${version}`,
};

const grants = {
  title: 'Standing permissions',
  hint: 'What people said need not be asked again. Never for what cannot be taken back.',
  empty: 'None.',
  stands: 'stands',
  ended: 'ended',
  revoke: 'Revoke',
  whole: 'When',
};

const parameters = {
  name: 'Name',
  type: 'Type',
  need: 'Needed',
  required: 'required',
  optional: 'optional',
  any: 'anything',
  types: {
    string: 'text',
    integer: 'whole number',
    number: 'number',
    boolean: 'yes or no',
    object: 'object',
    null: 'nothing',
  },
  listOf: (what: string) => `list of ${what}`,
  bounds: {
    minimum: (of: string) => `at least ${of}`,
    maximum: (of: string) => `at most ${of}`,
    minLength: (of: string) => `at least ${of} characters`,
    maxLength: (of: string) => `at most ${of} characters`,
    pattern: (of: string) => `like ${of}`,
    format: (of: string) => `as ${of}`,
  },
};

export const registry = { agents, tools, skills, grants, parameters };
