/**
 * The message of a sign-in that waited too long for its code, or got too many wrong ones. By it the
 * console leads back to the password; without schemas, for the first page.
 */
export const CHALLENGE_ENDED = "登录验证已失效，请重新输入用户名和密码";
