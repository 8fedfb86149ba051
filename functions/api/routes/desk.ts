// The recovery desk's list. Laws: L10 (each entry says whose it is), L21 (what was set aside unknown can still be found).
// Tested in test/functions/api/desk/desk.test.ts.
import { csvOf } from '../../wiring/api.ts';
import { deskCount, deskPage } from '../desk/entries.ts';
import { cursorIn, cursorOut } from '../http/cursor.ts';
import { type Route, reading } from '../http/operation.ts';
import type { Language } from '../problems/language.ts';
import { DeskCountQuery, DeskEntry, DeskQuery, DeskSummary } from '../schemas/desk.ts';
import { none, pageOf } from '../schemas/schemas.ts';

type Column = readonly [en: string, fr: string, cell: (entry: DeskEntry) => string];

const columns: readonly Column[] = [
  ['action', 'action', ({ actionId }) => actionId],
  ['since', 'depuis', ({ since }) => since],
  ['effect', 'effet', ({ effect }) => effect],
  ['disposition', 'disposition', ({ disposition }) => disposition],
  ['tool', 'outil', ({ tool }) => `${tool.name} ${tool.version}`],
  ['provider', 'fournisseur', ({ destination }) => destination.provider],
  ['account', 'compte', ({ destination }) => destination.account],
  ['environment', 'environnement', ({ destination }) => destination.environment],
  ['attempts', 'tentatives', ({ attempts }) => String(attempts)],
  ['needs a person', 'demande une personne', ({ needsPerson }) => String(needsPerson)],
  ['because', 'motif', ({ because }) => because ?? ''],
  ['holder', 'responsable', ({ holder }) => holder?.name ?? ''],
  ['holder is', 'nature du responsable', ({ holder }) => holder?.kind ?? ''],
  ['held until', 'jusqu’au', ({ heldUntil }) => heldUntil ?? ''],
  ['recoverer', 'responsable par défaut', ({ recoverer }) => recoverer ?? ''],
  ['next check', 'prochain contrôle', ({ nextCheckAt }) => nextCheckAt ?? ''],
  ['contradicted', 'contredit', ({ contradicted }) => String(contradicted)],
  ['duplicate of', 'double de', ({ duplicateOf }) => duplicateOf ?? ''],
  ['journal entry', 'entrée du journal', ({ head }) => String(head)],
  ['conversation', 'conversation', ({ conversationId }) => conversationId],
  ['run', 'exécution', ({ runId }) => runId],
];

const csv = (items: readonly DeskEntry[], language: Language): string =>
  csvOf([
    columns.map(([en, fr]) => (language === 'fr' ? fr : en)),
    ...items.map((entry) => columns.map(([, , cell]) => cell(entry))),
  ]);

const list = reading(
  {
    operationId: 'listDesk',
    method: 'get',
    path: '/v1/desk',
    tag: 'desk',
    summary: 'Actions that need recovery, or may, oldest first',
    description:
      'Settled actions are not in it. A page can hold fewer than `limit`, or none, and still have a next one: the header `reprise-next` has it for CSV.',
    params: none,
    query: DeskQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(DeskEntry) } },
    media: ['text/csv'],
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query, language }) => {
    const of = `${caller.workspace}#${query.part}`;
    const page = await deskPage(world, caller, query, cursorIn('desk', of, query.cursor));
    const next = page.next === undefined ? undefined : cursorOut('desk', of, page.next);
    const body = { items: page.items, next };
    if (query.format === 'json') return { status: 200, body };
    const text = csv(page.items, language);
    return {
      status: 200,
      body,
      as: {
        contentType: 'text/csv; charset=utf-8; header=present',
        text,
        language,
        ...(next === undefined ? {} : { headers: { 'reprise-next': next } }),
      },
    };
  },
);

const summary = reading(
  {
    operationId: 'summariseDesk',
    method: 'get',
    path: '/v1/desk/summary',
    tag: 'desk',
    summary: 'How many actions need recovery, or may',
    description:
      'Of the list narrowed alike. So many are looked at and no more, the oldest first: `more` says that there are others.',
    params: none,
    query: DeskCountQuery,
    answers: { 200: { description: 'The counts.', schema: DeskSummary } },
    problems: ['invalid-query'],
  },
  async ({ world, caller, query }) => ({
    status: 200,
    body: await deskCount(world, caller, query),
  }),
);

export const deskRoutes: readonly Route[] = [list, summary];
