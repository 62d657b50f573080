import type { Role } from "@shared/roles.ts";
import { Suspense, useDeferredValue, useEffect, useState } from "react";
import { matchRoute, Route, Switch, useRouter } from "wouter";
import { FullScreenSpinner } from "@/components/ui/spinner";
import { lazyPage } from "@/lib/lazy";
import { useSession } from "@/session/session";
import { ErrorBoundary } from "./error-boundary";
import { Shell } from "./lazy-shell";
import { HOME, mayEnter, RedirectTo, RouteGuard, returnPath } from "./route-guard";
import { ROUTES } from "./routes";
import { NotFoundPage, UnauthorizedPage, UnreachablePage } from "./system-pages";

const LoginPage = lazyPage(() => import("@/features/auth/login-page").then((m) => m.LoginPage));
const PasswordDuePage = lazyPage(() =>
  import("@/features/auth/password-due-page").then((m) => m.PasswordDuePage),
);

const SecondFactorDuePage = lazyPage(() =>
  import("@/features/auth/second-factor-due-page").then((m) => m.SecondFactorDuePage),
);

/**
 * Which tree is drawn follows from the session; the key starts it afresh when another tab changes
 * who is signed in.
 */
export function App() {
  const { user, isLoading, isUnreachable } = useSession();
  // Deferred, so that the first drawing of the console is done in slices: a slow phone would be
  // deaf for half a second.
  const isConfirming = useDeferredValue(isLoading);

  if (isUnreachable) return <UnreachablePage />;
  if (isLoading || isConfirming) return <FullScreenSpinner />;

  return (
    <ErrorBoundary key={user?.id}>
      <Suspense fallback={<FullScreenSpinner />}>
        <SessionPages />
      </Suspense>
    </ErrorBoundary>
  );
}

/**
 * What this session may see: the sign-in, a password or a second factor that is due, or the console
 * in its frame.
 */
function SessionPages() {
  const { user } = useSession();
  // The server lets the user on as soon as the second factor is on; its recovery codes come first.
  const [isSettingUp, setSettingUp] = useState(false);

  if (user === null) return <Pages />;

  if (user.mustChangePassword) {
    // At every address.
    return (
      <>
        <PageTitle title="修改密码" />
        <PasswordDuePage />
      </>
    );
  }

  if (user.mustSetUpSecondFactor || isSettingUp) {
    return (
      <>
        <PageTitle title="开启两步验证" />
        <SecondFactorDuePage
          onBegin={() => setSettingUp(true)}
          onDone={() => setSettingUp(false)}
        />
      </>
    );
  }

  return (
    <Shell>
      <Pages />
    </Shell>
  );
}

function Pages() {
  const { user } = useSession();
  return (
    <Switch>
      <Route path="/login">
        {user === null ? (
          <>
            <PageTitle title="登录" />
            <LoginPage />
          </>
        ) : (
          <AfterSignIn role={user.role} />
        )}
      </Route>
      <Route path="/">
        <RedirectTo path={HOME} />
      </Route>
      {ROUTES.map(({ path, title, page: Page, ...access }) => (
        <Route key={path} path={path}>
          <RouteGuard {...access}>
            <PageTitle title={title} />
            <Page />
          </RouteGuard>
        </Route>
      ))}
      <Route path="/unauthorized">
        <PageTitle title="没有访问权限" />
        <UnauthorizedPage />
      </Route>
      <Route>
        <PageTitle title="页面不存在" />
        <NotFoundPage />
      </Route>
    </Switch>
  );
}

/**
 * Another user may sign in than the one whose session ended: an address that the role may not enter
 * gives way to the dashboard.
 */
function AfterSignIn({ role }: { role: Role }) {
  const { parser } = useRouter();
  const target = returnPath();
  const { pathname } = new URL(target, location.origin);
  const route = ROUTES.find(({ path }) => matchRoute(parser, path, pathname)[0]);
  return <RedirectTo path={route === undefined || mayEnter(role, route) ? target : HOME} />;
}

/** The page's name comes first, so that tabs are easy to distinguish. */
function PageTitle({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title} - 多主机管理系统`;
  }, [title]);
  return null;
}
