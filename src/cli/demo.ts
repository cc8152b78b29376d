export const demo = async () => 2;
