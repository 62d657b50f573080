import type { RequestHandler } from "express";
import helmet from "helmet";

/** Strict headers for everything: no inline script or style, no framing, no sniffing; HSTS only where the request came by https. */
export function securityHeaders(): RequestHandler {
  const common = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
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
  const transport = helmet.hsts({ maxAge: 31_536_000 });
  return (request, response, next) =>
    common(request, response, (error) => {
      if (error !== undefined || !request.secure) return next(error);
      transport(request, response, next);
    });
}
