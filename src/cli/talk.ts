export const talk = async () => 2;
