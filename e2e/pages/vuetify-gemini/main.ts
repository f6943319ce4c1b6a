import 'vuetify/styles';
import { createApp } from 'vue';
import { createVuetify } from 'vuetify';
import * as components from 'vuetify/components';
import App from './app.vue';

createApp(App).use(createVuetify({ components })).mount('#app');
