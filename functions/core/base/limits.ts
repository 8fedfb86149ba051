// Every bound in one place, with its unit and its reason.
// Tested in test/core/margins.test.ts.

/** Past this a model was looping over its tools, and one Map of a step stays readable in the console. */
export const callsPerStepMax = 16;

/** Texts and results up to here stay in the item; larger ones go to the blob store. */
export const inlineBytesMax = 64 * 1024;

/** What the model is given of a large result; the page gets all of it. */
export const toldCharactersMax = 32_000;

/** A result's text in the action's item, with JSON's escapes. */
export const toldBytesMax = 128 * 1024;

/** What a destination said in an observation: its reason, its reference, its body; and a question of its, with the state it gave. */
export const becauseBytesMax = 4 * 1024;
export const referenceBytesMax = 2 * 1024;
export const excerptCharactersMax = 2_000;
export const askedBytesMax = 64 * 1024;

/** An item holds 400 KiB. A step's is shared out: arguments, results of the step before, facts, and what the model said. */
export const stepArgumentBytesMax = 128 * 1024;
export const stepResultBytesMax = 112 * 1024;
export const stepFactBytesMax = 32 * 1024;
export const stepTextBytesMax = 80 * 1024;

/** A message is an item, and an event with its text. */
export const messageBytesMax = 350 * 1024;

/**
 * A transaction takes 100 items and 4 MiB. Messages that one of them gives their fate, beside sixteen calls with a request each;
 * and the bytes of their texts, unless a single one is longer.
 */
export const messagesAtOnceMax = 14;
export const messageBytesAtOnceMax = 1024 * 1024;

/**
 * Items of one transaction that may free a run of the people it waits for, beside fourteen messages held with an event each and
 * the start of the next run. A call that only asked takes six: its question, the action, the observation, the marker, two events.
 */
export const releasedItemsMax = 60;

/** How long after an attempt's deadline a clock may still disagree. */
export const skewMs = 2_000;

/** Kept free below the Perform function's own limit to write the outcome. */
export const reserveMs = 8_000;

/** An execution goes on in a new one at this count; Step Functions ends it at 25,000. */
export const eventBudgetDefault = 12_000;

/** History events of one step: Think and Choose, the Map, and each call with a wait and two more tries. Conservative. */
export const stepEvents = (calls: number): number => 12 + 6 + calls * 40;

/** A wait inside an execution lasts at most this long; then the run parks. */
export const parkAfterMsDefault = 30 * 86_400_000;

/** An approval that its contract gives no time to be begun may be begun for this long at least. */
export const beginMsLeast = 3_600_000;

/** What is remembered with an approval ends after this unless something else is said. */
export const rememberedMsDefault = 30 * 86_400_000;

/** A request that names no expiry lasts this long. */
export const requestExpiryMsMax = 366 * 86_400_000;

/** Tries of a write that competes for a conversation's event number before it gives way. */
export const conflictTriesMax = 40;

/** Tries of a read within its deadline. */
export const readTriesMax = 3;

/** Model calls for one step before the run fails, and the first pause between two. */
export const modelTriesMax = 4;
export const modelPauseMs = 1_000;

/** A wait that a model asks for is heeded up to this; a longer one ends the run with the time that was asked for. */
export const modelWaitMsMax = 5 * 60_000;
/** Calls for one step that a model may put off so. */
export const modelWaitsMax = 10;
/** Such a wait is the machine's, in pieces, so that a stop is seen. */
export const modelWaitPieceSeconds = 10;

/** How often a stop is looked for while a model is asked. */
export const stopLookMs = 1_000;

/** By which tokens are estimated where no provider told them. */
export const charactersPerToken = 4;

/** Broken calls that a run lists; all are counted. */
export const brokenCallsKeptMax = 50;

/** Steps in a row whose call was cut off by the model's limit and told so; one more ends the run. */
export const cutCallsToldMax = 2;

/** Deaths of an execution without a newly stored step or decision before the run fails. */
export const deathsMax = 2;

/** Text is gathered into one event for at most this long or this much. */
export const deltaMs = 250;
export const deltaCharacters = 1_000;

/** Runs of a conversation that the model is shown in full, newest last. */
export const transcriptRunsMax = 30;

/** Attempts that may be made without a person. */
export const attemptsMax = 3;

/** Failed look-ups in a row before a person is asked. */
export const lookUpTriesMax = 5;

/** After how long without a new step the sweep asks whether a working run's execution is alive. */
export const workingLookMs = 10 * 60_000;

/** How often the sweep asks the same of a waiting run. */
export const waitingLookMs = 86_400_000;

/** After how long the sweep asks whether a recovery's execution is alive. */
export const recoveryLookMs = 60_000;

/** How long the run's own machine is left to close an attempt before the sweep starts a recovery for it. */
export const sweepGraceMs = 30_000;

/** Those who may answer a request are reminded at most this long before it expires. */
export const reminderLeadMsMax = 86_400_000;
