// Which paths are never places of the page: what asks for an API that is not there is told so and gets no page of HTML.
// One rule for CloudFront and for the twin.

/** A path that names a version of an API, or an API at large. The API's own paths never come here. */
export const apiLike = /^\/(v[0-9]+|api|graphql)(\/|$)/i;
