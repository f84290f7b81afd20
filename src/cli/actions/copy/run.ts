export { copyObject as run } from '../../../setup/promote.js';
