import 'element-plus/dist/index.css';
import { createApp } from 'vue';
import App from './app.vue';

createApp(App).mount('#app');
