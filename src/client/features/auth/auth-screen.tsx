import type { ReactNode } from "react";

type AuthScreenProps = { title: string; description?: string; children: ReactNode };

/** The frame of the screens before the console: product name, one card, footer. */
export function AuthScreen({ title, description, children }: AuthScreenProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      {/* Hung from a fixed height: what grows at its end moves nothing above. */}
      <main className="grid flex-1 place-items-start justify-items-center px-4 pt-[max(2.5rem,16dvh)] pb-10">
        <div className="w-full max-w-96">
          <div className="mb-6 flex items-center justify-center gap-3">
            <img src="/favicon.svg" alt="" width={36} height={36} className="size-9 shrink-0" />
            <p className="text-xl font-semibold">多主机管理系统</p>
          </div>
          <section
            aria-labelledby="auth-title"
            className="rounded-md border bg-card p-6 shadow-sm sm:p-7"
          >
            <h1 id="auth-title" className="text-lg font-semibold">
              {title}
            </h1>
            {description ? (
              <p className="mt-1 text-sm text-muted-foreground">{description}</p>
            ) : null}
            <div className="mt-5">{children}</div>
          </section>
        </div>
      </main>
      <footer className="px-4 py-5 text-center text-xs text-muted-foreground">
        © 2024 多主机管理系统
      </footer>
    </div>
  );
}
