// The demo's scenes in French, as data: what is written to the scripted model in French is answered in French. They stand after
// the English ones and take nothing from them. Owns: the French keywords and sentences.
import type { Scene } from '../../functions/adapters/model/script.ts';

/** French no-break spaces, so that the sentences below can be read and edited. */
const spaced = (text: string): string =>
  text.replaceAll(/ ([:;?!»])/g, '\u00a0$1').replaceAll('« ', '«\u00a0');

const opportunity: Scene = {
  // « Crée une opportunité pour Acme : 12 places »
  when: { matches: 'opportunité pour (?<customer>[\\wÀ-ÿ ]+?)(?:\\s*[:,](?<title>.*))?\\s*$' },
  turns: [
    {
      say: 'Je cherche d’abord le client.',
      call: [{ name: 'crm_find_customer', arguments: { query: '{{match.customer}}' } }],
    },
    {
      say: 'Trouvé. Je crée maintenant l’opportunité dans le CRM.',
      call: [
        {
          name: 'crm_create_opportunity',
          arguments: {
            customer_id: '{{result.0.customers.0.id}}',
            title: '{{message}}',
            amount_cents: 480_000,
          },
        },
      ],
      onError: { say: spaced('Je n’ai pas trouvé ce client : {{error}}') },
    },
    {
      say: spaced('C’est fait. Le CRM a répondu : {{result.last}}'),
      onError: { say: spaced('Je ne peux pas dire que c’est fait. Ce qu’on sait : {{error}}') },
    },
  ],
};

const refund: Scene = {
  // « Rembourse pay_1003 de 4900 »
  when: {
    matches: 'rembourse[rz]? (?:le paiement )?(?<payment>pay_\\w+)(?: de (?<amount>\\d+))?',
  },
  turns: [
    {
      say: 'Un remboursement ne se reprend pas, une personne doit donc l’approuver.',
      call: [
        {
          name: 'crm_refund',
          arguments: {
            payment_id: '{{match.payment}}',
            amount_cents: '{{number:match.amount}}',
            reason: 'Demandé dans la conversation',
          },
        },
      ],
    },
    {
      say: spaced('Le remboursement est fait : {{result.last}}'),
      onError: { say: 'Le remboursement n’a pas été fait. {{error}}' },
    },
  ],
};

const mail: Scene = {
  // « Courriel à marta@acme.example : bonjour »
  when: {
    matches: '(?:courriel|mail|message) à (?<to>[^\\s@]+@[^\\s:,]+)[\\s:,]+(?<body>.*)',
  },
  turns: [
    {
      say: spaced('Je prépare le courriel ; une personne approuve ce qui est envoyé.'),
      call: [
        {
          name: 'mail_send',
          arguments: {
            to: '{{match.to}}',
            subject: 'De votre équipe commerciale',
            text: '{{match.body}}',
          },
        },
      ],
    },
    {
      say: spaced('Le courriel : {{result.last}}'),
      onError: { say: spaced('Au sujet du courriel : {{error}}') },
    },
  ],
};

const booking: Scene = {
  // « Réserve un appel avec Acme le 2026-12-03 à 10:00 »
  when: {
    matches:
      'réserve[rz]? (?:une? )?(?<title>.+?) le (?<day>\\d{4}-\\d{2}-\\d{2}) à (?<hour>\\d{2})\\s?[:h]\\s?(?<minute>\\d{2})',
  },
  turns: [
    {
      say: 'Je l’inscris au calendrier.',
      call: [
        {
          name: 'calendar_create_event',
          arguments: {
            title: '{{match.title}}',
            starts_at: '{{match.day}}T{{match.hour}}:{{match.minute}}:00Z',
          },
        },
      ],
    },
    {
      say: spaced('C’est réservé : {{result.last}}'),
      onError: { say: spaced('Au sujet de la réservation : {{error}}') },
    },
  ],
};

const customer: Scene = {
  // « Qui est Acme ? »
  when: { matches: '(?:qui est|cherche[rz]?|trouve[rz]?) (?<customer>[\\wÀ-ÿ ]*[\\wÀ-ÿ])' },
  turns: [
    {
      say: 'Je demande au CRM.',
      call: [{ name: 'crm_find_customer', arguments: { query: '{{match.customer}}' } }],
    },
    {
      say: spaced('Le CRM dit : {{result.last}}'),
      onError: { say: spaced('Le CRM n’a pas répondu : {{error}}') },
    },
  ],
};

/** Words that English does not have; accents alone tell nothing, a name may have them. */
const isFrench =
  '\\b(?:je|vous|tu|le|les|une|des|du|avec|pour|dans|bonjour|bonsoir|salut|merci|aide[rz]?|qui|quoi|que|est-ce|pouvez|peux|crée[rz]?|envoie|envoye[rz]|rembourse[rz]?|courriel)\\b';

/** The scenes that act. */
export const frenchScenes: readonly Scene[] = [opportunity, refund, mail, booking, customer];

/** What is said to a French message that no scene takes: to the demo's agent, and to any other. */
export const frenchDefaults = (demoTools: readonly string[]): readonly Scene[] => [
  {
    when: { matches: isFrench, has: demoTools },
    turns: [
      {
        say: spaced(
          'Je suis un modèle scripté : je joue quelques scènes et ne comprends rien d’autre. Essayez : « Crée une opportunité pour Acme : 12 places », « Rembourse pay_1003 de 4900 », « Courriel à marta@acme.example : bonjour », « Réserve un appel le 2026-12-03 à 10:00 » ou « Qui est Acme ? ». Ou écrivez un appel, et je le fais :\n\n```\n{{sampleCalls}}\n```',
        ),
      },
    ],
  },
  {
    when: { matches: isFrench },
    turns: [
      {
        say: spaced(
          'Je suis un modèle scripté et ne comprends pas les phrases. Écrivez un appel, et je le fais :\n\n```\n{{sampleCalls}}\n```',
        ),
      },
    ],
  },
];
