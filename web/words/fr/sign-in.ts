// The words of signing in and out, in French.
import type { Words } from '../en/first.ts';

export const signIn: Words['signIn'] = {
  title: 'Connexion',
  button: 'Se connecter',
  other: 'Se connecter sous un autre nom',
  withToken: 'Avec un jeton',
  hint: 'L’adresse affichée au démarrage de Reprise porte votre jeton. Ouvrez-la, ou collez-la ici, ou collez le jeton.',
  label: 'Adresse ou jeton',
  use: 'Utiliser ce jeton',
  wrong: 'Ce n’est pas un jeton. Il a trois parties séparées par des points.',
  out: 'Se déconnecter',
  outFailed: 'La déconnexion n’a pas abouti : vous êtes toujours connecté. Réessayez.',
  as: (name, workspace) => `${name}, espace de travail ${workspace}`,
  roles: (names) => `Rôles : ${names}`,
  why: {
    ended: 'Votre session a pris fin. Reconnectez-vous pour reprendre là où vous étiez.',
    expired: 'Cette connexion a duré trop longtemps, ou a déjà servi. Veuillez recommencer.',
    refused: 'Le fournisseur d’identité ne vous a pas connecté. Vous pouvez réessayer.',
    failed:
      'Cette connexion n’a pas résisté à une vérification : personne n’a été connecté. Veuillez recommencer.',
    'no-workspace':
      'Vous êtes connecté, mais votre compte n’appartient à aucun espace de travail. Demandez-en un à un administrateur.',
    unavailable: 'Le fournisseur d’identité ne répond pas. Réessayez dans un instant.',
  },
};
