/** The part of Swagger UI that the documentation page uses; the package has no types. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Response {
    readonly ok: boolean;
    readonly url: string;
    readonly body: { readonly data: { readonly token: string } };
  }
  interface Options {
    readonly responseInterceptor: (response: Response) => Response;
    readonly [option: string]: unknown;
  }
  export default function SwaggerUI(options: Options): {
    preauthorizeApiKey(name: string, key: string): void;
  };
}
