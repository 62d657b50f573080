import { useEffect } from "react";

type StyleProps = { styles: string; dynamic?: boolean };

/**
 * Stands in for the package `react-style-singleton` (see the alias in vite.config.ts).
 * The original appends a `<style>` element, which `style-src 'self'` refuses; a constructable sheet is allowed.
 * Every component it makes shares one sheet among its instances: there while at least one is mounted.
 */
export function styleSingleton() {
  const sheet = sharedSheet();
  return function Style({ styles, dynamic = false }: StyleProps) {
    const changing = dynamic ? styles : "";
    // biome-ignore lint/correctness/useExhaustiveDependencies: only a dynamic style is replaced when it changes
    useEffect(() => {
      sheet.add(styles);
      return () => sheet.remove();
    }, [changing]);
    return null;
  };
}

function sharedSheet() {
  let users = 0;
  let sheet: CSSStyleSheet | undefined;
  return {
    add(css: string): void {
      users += 1;
      if (sheet !== undefined) return;
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets.push(sheet);
    },
    remove(): void {
      users -= 1;
      if (users > 0) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet);
      sheet = undefined;
    },
  };
}
