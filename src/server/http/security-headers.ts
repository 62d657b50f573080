import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { RequestHandler } from "express";
import helmet from "helmet";

const always = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      // Radix and Sonner insert `<style>` elements.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", "data:"],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  frameguard: { action: "deny" },
  referrerPolicy: { policy: "no-referrer" },
  strictTransportSecurity: false,
});
const overHttps = helmet.hsts({ maxAge: 31_536_000, includeSubDomains: true });

/** Strict headers for everything: no inline script, no framing, no sniffing; HSTS only where the request came by https. */
export function securityHeaders(): RequestHandler {
  return (request, response, next) =>
    always(request, response, (error) => {
      if (error !== undefined || !request.secure) return next(error);
      overHttps(request, response, next);
    });
}

/** The same headers as lines, for answers that Express never sees. */
export const SECURITY_HEADER_LINES: readonly string[] = headerLines();

function headerLines(): string[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  always(request, response, () => undefined);
  return Object.entries(response.getHeaders()).map(([name, value]) => `${name}: ${value}`);
}
