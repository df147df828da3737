/** Path of the file in which whoever serves the site can recommend a service, from the root of the site. */
export const servicePath = "playground/service.json";
