/** The password of every user that the tests create. */
export const PASSWORD = "Correct1Horse";
/** The first super admin. */
export const ROOT_USER = { username: "root", password: PASSWORD };
/** The settings that make it the first super admin. */
export const ROOT_ENV = { ADMIN_USERNAME: ROOT_USER.username, ADMIN_PASSWORD: ROOT_USER.password };
